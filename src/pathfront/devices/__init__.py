"""Where bulk-synchronous methods run: `protocol` says what a schedule may ask of a device, `cpu` is the one there is."""
