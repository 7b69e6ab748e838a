"""The dialect tensor, whose ops are plain operations."""
