import Fief
import FiefTorture
import Foundation

/// Little of what the system gives: descriptors, address space, memory.
extension LimitProcess {
  func prepare(items: Int = 40, bytes: Int = 1_000) throws {
    let repository = stores.repository()
    let ids = (0..<items).map { _ in stores.nextID() }
    for part in stride(from: 0, to: ids.count, by: 100) {
      let part = ids[part..<min(part + 100, ids.count)]
      try repository.saveAndWait(entities: part.map { LimitedStores.item($0, bytes: bytes) })
    }
    stores.acknowledge(ids)
  }

  // MARK: Descriptors

  func limitDescriptors() throws {
    try prepare()
    try ProcessLimit.descriptors.set(256)
    for free in 0..<60 {
      say("doing with \(free) free descriptors")
      // Every second time the store is not open yet.
      if free % 2 == 1 { stores.repository().close() }
      let taken = TakenDescriptors(free: free)
      let isDone = useStores([.cannotOpen, .storage])
      taken.giveBack()
      stores.verify("after \(free) free descriptors", reopening: free % 3 == 0)
      if isDone, free % 2 == 1 { return stores.count("free descriptors with which all is done", free) }
    }
    stores.wrong("60 free descriptors are not enough")
  }

  // MARK: Address space

  func limitAddressSpace() throws {
    try prepare()
    var refusals = 0
    for megabytes in [24, 32, 48, 64, 96, 128, 192, 256, 512, 2_048, 16_384, 65_536] {
      say("doing with \(megabytes) MB of address space")
      // The map of the store is in the limit, once it is opened again.
      stores.repository().close()
      try ProcessLimit.addressSpace.set(ProcessLimit.used("VmSize") + megabytes << 20)
      let isDone = useStores([.storeFull, .cannotOpen, .storage, .inputOutput], bytes: 200_000)
      grow(to: min(megabytes / 2, scale * 6))
      try ProcessLimit.addressSpace.set(nil)
      stores.verify("after \(megabytes) MB of address space", reopening: megabytes % 3 == 0)
      if isDone {
        if refusals == 0 { stores.wrong("\(megabytes) MB of address space are no limit") }
        return stores.count("megabytes of address space with which all is done", megabytes)
      }
      refusals += 1
    }
    stores.wrong("64 GB of address space are not enough")
  }

  /// Saves two megabytes at a time, until there is no room.
  private func grow(to megabytes: Int) {
    say("doing growth")
    let repository = stores.repository()
    for _ in stride(from: 0, to: megabytes, by: 2) {
      let ids = (0..<10).map { _ in stores.nextID() }
      let isDone = stores.attempt("growth", [.storeFull, .cannotOpen, .inputOutput], saving: ids) {
        try repository.saveAndWait(entities: ids.map { LimitedStores.item($0, bytes: 200_000) })
      }
      guard isDone else { return }
    }
  }

  // MARK: Memory

  /// Reads, checks and copies a store that is larger than the memory that is left.
  func limitMemory() throws {
    let megabytes = scale > 1 ? 96 : 64
    try prepare(items: megabytes * 10, bytes: 100_000)
    let repository = stores.repository()
    // Threads of Dispatch have stacks of eight megabytes, which count.
    try ProcessLimit.data.set(ProcessLimit.used("VmData") + megabytes << 19)
    say("doing all reads in \(megabytes / 2) MB of memory")
    stores.attempt("scan", []) {
      var bytes = 0
      try repository.read { try $0.objects(TortureItem.self).forEachObject { bytes += $0.bytes.count } }
      if bytes != megabytes * 1_000_000 { stores.wrong("a scan has \(bytes) bytes") }
    }
    stores.attempt("sort", []) {
      var count = 0
      try repository.read { snapshot in
        try snapshot.objects(TortureItem.self).sorted(byKeyPath: "text").forEachObject { _ in count += 1 }
      }
      if count != megabytes * 10 { stores.wrong("a sort has \(count) items") }
    }
    stores.attempt("full text", []) {
      _ = try repository.objects(TortureItem.self).where { $0.text.matches("words") }.fetchCount()
    }
    stores.attempt("check", []) {
      for problem in try repository.check().problems { stores.wrong("check: \(problem)") }
    }
    stores.attempt("backup", []) { try repository.backup(to: "\(stores.directory)/copy") }
    stores.attempt("compaction", []) { try repository.compact() }
    let ids = (0..<20).map { _ in stores.nextID() }
    stores.attempt("save", [], saving: ids) {
      try repository.saveAndWait(entities: ids.map { LimitedStores.item($0, bytes: 100_000) })
    }
    try ProcessLimit.data.set(nil)
    stores.verify("after little memory", reopening: true)
  }
}

/// The descriptors that a process may still have, taken by copies of one, but for some.
struct TakenDescriptors {
  private let copies: [Int32]

  init(free: Int) {
    var copies: [Int32] = []
    while true {
      let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { break }
      copies.append(copy)
    }
    for copy in copies.suffix(free) { close(copy) }
    self.copies = copies.dropLast(free)
  }

  func giveBack() { for copy in copies { close(copy) } }
}
