package config

import (
	"errors"
	"os"
)

// Load reads and checks a configuration file. Then it reads the setup file in the data folder.
// If file is "", Load reads DefaultFile, which need not exist. The function env returns
// environment variables. If Load fails, it also returns as much as it could read.
func Load(file string, env func(string) string) (Config, error) {
	c, err := loadWritten(file, env)
	if err == nil {
		c.loadSetup()
	}
	return c, err
}

// loadWritten reads and checks the configuration file, which people write. It does not read
// the setup file, which the program writes.
func loadWritten(file string, env func(string) string) (Config, error) {
	c := New(env)
	usual := file == ""
	if usual {
		file = DefaultFile
	}
	data, err := os.ReadFile(file)
	if usual && errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, &Error{File: file, Reason: Reason(err)}
	}
	err = c.read(file, string(data)) // before return, which copies c
	return c, err
}
