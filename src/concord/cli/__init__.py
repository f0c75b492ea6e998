"""The command line: parse, call one function of `concord.api`, print."""
