extern "C" int nothing_of_note() { return 0; }
