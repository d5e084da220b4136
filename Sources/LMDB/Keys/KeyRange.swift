/// The least key that is above every key with a prefix: the open upper bound of a prefix's range.
///
/// - Returns: nil when there is none, because the prefix is empty or consists of `FF` alone.
@usableFromInline package func keySuccessor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
  guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
  var successor = Array(prefix[...last])
  successor[last] += 1
  return successor
}
