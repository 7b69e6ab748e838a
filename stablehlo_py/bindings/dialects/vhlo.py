"""The dialect vhlo, whose ops are plain operations."""
