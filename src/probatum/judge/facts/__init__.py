"""Facts and hallucination: the claims of an output beside the sources."""
