"@>
https://shop.example.org/giftsGift ideas נ"	€לרמ־ßÝ(