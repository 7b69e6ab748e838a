"""The dialect interpreter, whose ops are plain operations."""
