struct SniffFields {}
