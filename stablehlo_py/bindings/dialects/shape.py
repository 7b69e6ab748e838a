"""The dialect shape, whose ops are plain operations."""
