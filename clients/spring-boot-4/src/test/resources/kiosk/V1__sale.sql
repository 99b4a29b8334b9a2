CREATE TABLE sale (item varchar(50));
