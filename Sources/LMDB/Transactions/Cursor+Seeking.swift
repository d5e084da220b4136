extension Cursor {
  /// Moves to the last entry whose key is equal or less.
  public func seek(atOrBefore key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return try last() }
    return self.key.elementsEqual(key) ? true : try previous()
  }

  /// Moves to the last entry whose key is less.
  public func seek(before key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return try last() }
    return try previous()
  }

  /// Moves to the first entry whose key is greater.
  public func seek(after key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return false }
    return self.key.elementsEqual(key) ? try next() : true
  }

  /// Moves by a number of entries, backward where it is negative, as so many calls of ``next()`` or
  /// ``previous()``; a number of 0 does not move.
  ///
  /// Entries that are passed by are not looked at: it takes as many steps as there are pages between.
  /// - Returns: whether the cursor stands on an entry then.
  public func skip(_ count: Int) throws(LMDBError) -> Bool {
    if count == 0 { return !key.isEmpty }
    for _ in 0..<abs(count) {
      guard try count > 0 ? next() : previous() else { return false }
    }
    return true
  }
}
