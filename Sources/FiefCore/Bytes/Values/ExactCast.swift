/// Returns the value if its type is exactly the wanted type. A cast would also try conversions, which takes a
/// tenth of the time of reading an object.
@inline(__always)
func exactly<Wanted>(_ wanted: Wanted.Type, _ value: Any) -> Wanted? {
  func opened<Value>(_ value: Value) -> Wanted? {
    // SAFETY: both types are the same.
    Value.self == Wanted.self ? unsafeBitCast(value, to: Wanted.self) : nil
  }
  return _openExistential(value, do: opened)
}
