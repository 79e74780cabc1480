/// A column holds a value of another type than was written.
struct DamagedColumn: Error {}
