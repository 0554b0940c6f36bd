"CA
https://mail.example.org/inboxInbox (3) ג€“ Mail"	€לרמ־ßÝ(