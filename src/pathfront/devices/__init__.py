"""Where bulk-synchronous methods run: `protocol` says what a schedule may ask, `cpu` is the device there is."""
