CREATE TABLE shop_order (item VARCHAR(100) PRIMARY KEY);
CREATE TABLE shipment (item VARCHAR(100), delivery INTEGER);
