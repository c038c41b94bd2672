// Nothing to call: the code runs when the tests are loaded.
