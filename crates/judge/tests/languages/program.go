// Goroutines, garbage collection and files; then the agent plays.
package main

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

func main() {
	var running sync.WaitGroup
	for i := 0; i < 64; i++ {
		running.Add(1)
		go func() {
			defer running.Done()
			sum := 0
			for j := 0; j < 1000000; j++ {
				sum += j
			}
			time.Sleep(time.Duration(1+sum%2) * time.Millisecond)
		}()
	}
	running.Wait()
	runtime.GC()
	check(os.WriteFile("own", []byte("x"), 0o644))
	check(os.Rename("own", "renamed"))
	check(os.Remove("renamed"))
	check(exec.Command(os.Args[1], "--depth", "1").Run())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
