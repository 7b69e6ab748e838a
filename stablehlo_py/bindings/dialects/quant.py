"""The dialect quant, whose ops are plain operations."""
