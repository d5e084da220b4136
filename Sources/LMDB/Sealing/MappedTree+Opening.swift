#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The additional state of a tree with sealed values in a snapshot.
struct MappedSeal {
  // SAFETY: the environment keeps the tree alive, and the transaction's use of the pages lasts as long as it
  // reads this.
  let tree: Unmanaged<SealedTree>
  let pages: Unmanaged<DecryptedPages>
  let region: UnsafeMutableRawPointer
  // SAFETY: the transaction that owns this tree keeps the values alive as long as the tree.
  /// The values that the transaction has opened individually.
  let values: Unmanaged<DecryptedValues>
  /// The number under which the notes of the pages record the snapshot.
  let stamp: UInt32
  /// The mark that identifies opened leaves of the tree.
  let mark: UInt64

  var overhead: Int { tree._withUnsafeGuaranteedRef { $0.overhead } }

  /// Returns whether a page was opened. Records whether memory was lacking, for the error of the read.
  func isDone(_ opening: DecryptedPages.Opening) -> Bool {
    values._withUnsafeGuaranteedRef { $0.lacksMemory = opening == .noMemory }
    return opening == .done
  }
}

extension MappedTree {
  /// Returns a leaf with its values in clear, or `nil` if one of them does not open.
  ///
  /// - Parameter page: The leaf in the map.
  @inline(__always)
  func opened(_ page: MappedPage, _ seal: MappedSeal) -> MappedPage? {
    guard let base else { return nil }
    let offset = page.start - base
    let number = UInt64(offset / pageSize)
    let isOpened = seal.pages._withUnsafeGuaranteedRef { $0.contains(number, at: seal.stamp, as: seal.mark) }
    guard isOpened || open(page, number, offset, seal) else { return nil }
    return MappedPage(opened: UnsafeRawPointer(seal.region + offset), size: page.size)
  }

  /// Returns a leaf with its values in clear, or `nil` if it is not open.
  @inline(__always)
  func knownOpened(_ page: MappedPage, _ seal: MappedSeal) -> MappedPage? {
    guard let base else { return nil }
    let offset = page.start - base
    let number = UInt64(offset / pageSize)
    guard seal.pages._withUnsafeGuaranteedRef({ $0.contains(number, at: seal.stamp, as: seal.mark) })
    else { return nil }
    return MappedPage(opened: UnsafeRawPointer(seal.region + offset), size: page.size)
  }

  /// Returns the value of a leaf's node in clear.
  ///
  /// If the leaf is not open, only this value is opened, unless several other values of the leaf were opened
  /// before.
  @inline(never)
  func openedValue(_ page: MappedPage, _ node: Int, _ seal: MappedSeal) -> UnsafeRawBufferPointer? {
    guard let base else { return nil }
    let keyCount = page.keyCount(node)
    let start = node &+ Page.nodeHeaderSize &+ keyCount
    let count = page.valueCount(node)
    let key = UnsafeRawBufferPointer(start: page.key(node), count: keyCount)
    let isSealed = seal.tree._withUnsafeGuaranteedRef { $0.isSealed(key) }
    let length = count &- (isSealed ? seal.overhead : 0)
    let isLong = page.flags(node) != 0
    // The node of a long value contains the number of the value's page.
    let end = start &+ (isLong ? 8 : count)
    guard length >= 0, end <= page.size else { return nil }
    let offset = page.start - base
    let number = UInt64(offset / pageSize)
    let isOpened = seal.pages._withUnsafeGuaranteedRef { $0.contains(number, at: seal.stamp, as: seal.mark) }
    if isOpened {
      // The page in the map may have been forged since, so the flags, the key and the page of a long value
      // are compared.
      // SAFETY: both pages contain these bytes of the node, which `end` bounds.
      let opened = seal.region + (offset + node)
      let compared = (isLong ? end : start) &- node &- 4
      guard opened.loadUnaligned(as: UInt32.self) == UInt32(truncatingIfNeeded: length),
        memcmp(opened + 4, page.start + (node &+ 4), compared) == 0
      else { return nil }
    }
    if isLong {
      guard let sealed = longValue(page, node, start, count) else { return nil }
      return openedLongValue(sealed, of: key, count: length, isSealed: isSealed, seal)
    }
    if isOpened { return UnsafeRawBufferPointer(start: seal.region + (offset + start), count: length) }
    let sealed = UnsafeRawBufferPointer(start: page.start + start, count: count)
    return openedValue(sealed, of: key, at: offset + start, page, isSealed: isSealed, seal)
  }

  /// Returns the value of a node in a leaf that is not open.
  @inline(never)
  private func openedValue(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    at offset: Int,
    _ page: MappedPage,
    isSealed: Bool,
    _ seal: MappedSeal
  ) -> UnsafeRawBufferPointer? {
    guard isSealed else { return sealed }
    guard let base else { return nil }
    // The page number in the file may be forged.
    let place = page.start - base
    let number = UInt64(place / pageSize)
    let opensPage = seal.pages._withUnsafeGuaranteedRef { $0.noteValue(of: number, among: page.count) }
    // If another value of the leaf is damaged, this value is still opened.
    if opensPage, open(page, number, place, seal) {
      return UnsafeRawBufferPointer(start: seal.region + offset, count: sealed.count - seal.overhead)
    }
    return seal.tree._withUnsafeGuaranteedRef { tree in
      seal.values._withUnsafeGuaranteedRef { $0.openOnce(sealed, of: key, in: tree) }
    }
  }

  /// Opens the values of a leaf. Returns `false` if one of them does not open.
  @inline(never)
  private func open(_ page: MappedPage, _ number: UInt64, _ offset: Int, _ seal: MappedSeal) -> Bool {
    let opening = seal.pages._withUnsafeGuaranteedRef { pages in
      pages.open(number, at: seal.stamp, as: seal.mark, count: page.size) {
        seal.tree._withUnsafeGuaranteedRef { tree in
          withUnsafeTemporaryAllocation(byteCount: page.size, alignment: 16) {
            copy -> DecryptedPages.Opening in
            guard let start = copy.baseAddress else { return .noMemory }
            start.copyMemory(from: page.start, byteCount: page.size)
            guard Self.openValues(of: page, in: start, tree) else { return .damaged }
            guard pages.makeRoom(offset, count: page.size) else { return .noMemory }
            // The end of the nodes' offsets. By now, the page in the map may have another number of nodes.
            let lower = UInt16(truncatingIfNeeded: Page.headerSize &+ 2 &* page.count)
            start.storeBytes(of: lower, toByteOffset: 12, as: UInt16.self)
            // SAFETY: the region has room for the page. A reader of an earlier snapshot may be reading these
            // bytes of the region at the same time.
            (seal.region + (offset + 8)).copyMemory(from: start + 8, byteCount: page.size - 8)
            return .done
          }
        }
      }
    }
    return seal.isDone(opening)
  }

  private static func openValues(
    of page: MappedPage,
    in copy: UnsafeMutableRawPointer,
    _ tree: SealedTree
  ) -> Bool {
    for index in 0..<page.count {
      let node = page.node(index)
      // Bytes that are written to the copy must not overwrite the offset of another node.
      guard node >= Page.headerSize &+ 2 &* page.count else { return false }
      let key = UnsafeRawBufferPointer(start: page.key(node), count: page.keyCount(node))
      guard tree.isSealed(key) else { continue }
      let count = page.valueCount(node)
      guard count >= tree.overhead else { return false }
      let start = node &+ Page.nodeHeaderSize &+ page.keyCount(node)
      if page.flags(node) == 0 {
        guard start &+ count <= page.size else { return false }
        let sealed = UnsafeRawBufferPointer(start: page.start + start, count: count)
        let value = UnsafeMutableRawBufferPointer(start: copy + start, count: count - tree.overhead)
        guard tree.open(sealed, of: key, into: value) else { return false }
        UnsafeMutableRawBufferPointer(start: copy + (start + value.count), count: tree.overhead)
          .initializeMemory(as: UInt8.self, repeating: 0)
      }
      copy.storeBytes(of: UInt32(count - tree.overhead), toByteOffset: node, as: UInt32.self)
    }
    return true
  }

  /// Returns a value with its own pages, in clear.
  ///
  /// - Parameter count: The length of the value in clear, at least 0.
  private func openedLongValue(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    count: Int,
    isSealed: Bool,
    _ seal: MappedSeal
  ) -> UnsafeRawBufferPointer? {
    guard let base, let start = sealed.baseAddress else { return nil }
    let offset = start - base
    let number = UInt64(offset / pageSize)
    let place = seal.region + offset
    let pageCount = (Page.headerSize + count + pageSize - 1) / pageSize
    let mark = seal.tree._withUnsafeGuaranteedRef { $0.mark(of: key, count: count) }
    let opening = seal.pages._withUnsafeGuaranteedRef { pages -> DecryptedPages.Opening in
      if pages.contains(number, at: seal.stamp, as: mark) { return .done }
      return pages.open(number, pages: pageCount, at: seal.stamp, as: mark, count: count) {
        guard pages.makeRoom(Int(number) * pageSize, count: Page.headerSize + count) else { return .noMemory }
        guard isSealed else {
          place.copyMemory(from: start, byteCount: count)
          return .done
        }
        let value = UnsafeMutableRawBufferPointer(start: place, count: count)
        // A reader of an earlier snapshot may be reading these bytes of the region at the same time.
        let isRight = seal.tree._withUnsafeGuaranteedRef { $0.open(sealed, of: key, into: value) }
        return isRight ? .done : .damaged
      }
    }
    return seal.isDone(opening) ? UnsafeRawBufferPointer(start: place, count: count) : nil
  }
}

extension MappedPage {
  /// Creates a page for a leaf with its values in clear.
  @inline(__always)
  fileprivate init(opened start: UnsafeRawPointer, size: Int) {
    let lower = Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    self.init(start: start, size: size, count: (lower &- Page.headerSize) &>> 1)
  }
}
