/// Returns the smallest key that is greater than every key with a prefix: the open upper bound of the
/// prefix's range.
///
/// - Returns: `nil` if there is no such key, because the prefix is empty or consists only of `FF`.
@usableFromInline package func keySuccessor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
  guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
  var successor = Array(prefix[...last])
  successor[last] += 1
  return successor
}
