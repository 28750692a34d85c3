package main

func panelModels() []string {
	return []string{"waveshare-2in13-v4", "waveshare-2in13-v3", "waveshare-2in9-v2", "waveshare-4in2-v2", "waveshare-7in5-v2", "inky-phat"}
}
