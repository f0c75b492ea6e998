"""One file for each page. Its ROUTES are found by the application; a handler asks the api and renders."""
