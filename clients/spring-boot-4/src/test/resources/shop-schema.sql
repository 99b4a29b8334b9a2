CREATE TABLE IF NOT EXISTS made_by_script (id int);
