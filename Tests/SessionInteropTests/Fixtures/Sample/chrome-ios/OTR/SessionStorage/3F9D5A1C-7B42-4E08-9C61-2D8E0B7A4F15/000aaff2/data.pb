"CA
$https://shop.example.org/gifts/trainWooden train"	€ìøîÎßİ(