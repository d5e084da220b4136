/// The value where it has exactly the wanted type: a cast would search for conversions, and take as long as a
/// tenth of reading an object.
@inline(__always)
func exactly<Wanted>(_ wanted: Wanted.Type, _ value: Any) -> Wanted? {
  func opened<Value>(_ value: Value) -> Wanted? {
    // SAFETY: both types are the same.
    Value.self == Wanted.self ? unsafeBitCast(value, to: Wanted.self) : nil
  }
  return _openExistential(value, do: opened)
}
