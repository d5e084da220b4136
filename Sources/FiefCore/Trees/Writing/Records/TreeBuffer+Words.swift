import LMDB

/// The entries of full-text indexes.
extension TreeBuffer {
  /// Notes the words of an object for the sums of a full-text index.
  ///
  /// - Parameter sign: 1 where they are added, -1 where they go.
  func noteText(_ list: WordList, objectKey: UnsafeRawBufferPointer, sign: Int) {
    if list.count == 0 { return }
    texts += sign
    words += sign * list.count
  }

  /// Notes the entry of a word.
  func noteWord(
    _ word: UnsafeRawBufferPointer,
    count: Int,
    of length: Int,
    objectKey: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    let start = writer.count
    FullTextEntry.append(word, to: &writer)
    let firstCount = writer.count - start
    let isCut = objectKey.count > CompositeKey.secondLimit
    if isCut {
      writer.append(CompositeKey.second([UInt8](objectKey)))
    } else {
      writer.append(objectKey)
    }
    let keyCount = writer.count - start
    if isAdded {
      writer.appendCount(count)
      writer.appendCount(length)
      if isCut { writer.append(objectKey) }
    }
    note(
      start,
      keyCount: keyCount,
      firstCount: firstCount,
      valueCount: writer.count - start - keyCount,
      isAdded: isAdded,
      isAlone: false
    )
  }
}
