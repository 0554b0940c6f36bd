"=;
https://bread.example.org/ryeRye and spelt"	€ìøîÎßİ(