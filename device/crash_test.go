package device

const crashDir = "TABLESIDE_TEST_CRASH"

func crashPlayer(string) {}
