"""One module for each page. The application collects their ROUTES; a handler calls the api and renders."""
