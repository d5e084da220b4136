import FiefTorture
import Foundation

/// A disk on which a record of calls happens, and what a power cut can leave of it.
///
/// What is durable: the content of a file at its last fsync or fdatasync, and synchronous writes; names at the last fsync of their
/// directory. Of the rest, each 512-byte sector of each write, each change of a size, and each change of a name may or may not be on
/// the disk. The changes of names keep an order: that of the whole disk, as a file system with a journal has it, or that of each
/// directory.
struct RecordedDisk {
  /// A defect for the control of a test.
  enum Defect: Equatable {
    case none, noSynchronisation
    /// Only files below a directory of this name in the root, or below the one in which it is made (`.NAME.…`), are not synchronised.
    case noSynchronisationBelow(String)
  }

  fileprivate struct File {
    var durable: [UInt8] = []
    var pending: [Change] = []
    var isDirectory = false
  }

  fileprivate enum Change {
    /// Durable are those of a synchronous write.
    case bytes(offset: Int, [UInt8], isDurable: Bool)
    case size(Int)
  }

  fileprivate struct NameChange {
    enum Kind { case bound(UInt64), removed, renamed(to: String), exchanged(with: String) }
    let path: String
    let kind: Kind
    var isDurable = false
  }

  private let defect: Defect
  private var files: [UInt64: File] = [:]
  /// The changes of names since the start; a name is bound to a number of `files`.
  private var nameChanges: [NameChange] = []
  private var names: [String: UInt64] = [:]
  /// The number of `files` for an inode: a new file may have the inode of one that is gone.
  private var numbers: [UInt64: UInt64] = [:]
  private var nextNumber: UInt64 = 1
  private(set) var root = ""
  /// The lines that the process had printed.
  private(set) var printed = ""

  init(defect: Defect = .none) { self.defect = defect }

  // MARK: The record

  mutating func apply(_ entry: CallRecord.Entry) throws {
    switch entry.operation {
    case .printed: printed += String(decoding: entry.data, as: UTF8.self)
    case .directoryMade:
      if root.isEmpty {
        root = entry.path
        names[root] = begin(entry.file, isDirectory: true)
      } else {
        bind(entry.path, begin(entry.file, isDirectory: true))
      }
    case .opened:
      if entry.flags.contains(.created) {
        let number = begin(entry.file, isDirectory: false)
        if !entry.path.isEmpty { bind(entry.path, number) }
      } else if entry.flags.contains(.truncated) {
        files[try number(entry.file)]?.pending.append(.size(0))
      }
    case .linked: bind(entry.path, try number(entry.file))
    case .written:
      let file = try number(entry.file)
      let isDurable = entry.flags.contains(.synchronous) && synchronises(file)
      files[file]?.pending.append(.bytes(offset: entry.offset, entry.data, isDurable: isDurable))
    case .resized: files[try number(entry.file)]?.pending.append(.size(entry.offset))
    case .synchronised: try synchronise(try number(entry.file))
    case .unlinked:
      names[entry.path] = nil
      nameChanges.append(NameChange(path: entry.path, kind: .removed))
    case .renamed: rename(entry)
    case .unknown: throw BrokenTest("an operation that cannot be followed")
    }
  }

  private mutating func begin(_ inode: UInt64, isDirectory: Bool) -> UInt64 {
    let number = nextNumber
    nextNumber += 1
    numbers[inode] = number
    files[number] = File(isDirectory: isDirectory)
    return number
  }

  private func number(_ inode: UInt64) throws -> UInt64 {
    guard let number = numbers[inode] else { throw BrokenTest("the record never opened inode \(inode)") }
    return number
  }

  private mutating func bind(_ path: String, _ number: UInt64) {
    names[path] = number
    nameChanges.append(NameChange(path: path, kind: .bound(number)))
  }

  private mutating func rename(_ entry: CallRecord.Entry) {
    let isExchange = entry.flags.contains(.exchanged)
    nameChanges.append(
      NameChange(
        path: entry.path,
        kind: isExchange ? .exchanged(with: entry.other) : .renamed(to: entry.other)
      )
    )
    names.move(entry.path, to: entry.other, isExchange: isExchange)
  }

  /// Whether the synchronisation of a file does something.
  private func synchronises(_ number: UInt64) -> Bool {
    switch defect {
    case .none: return true
    case .noSynchronisation: return false
    case .noSynchronisationBelow(let directory):
      guard let path = names.first(where: { $0.value == number })?.key else { return true }
      let parts = path.dropFirst(root.count).split(separator: "/")
      return parts.count < 2 || parts[0] != directory && !parts[0].hasPrefix(".\(directory).")
    }
  }

  private mutating func synchronise(_ number: UInt64) throws {
    guard synchronises(number), let file = files[number] else { return }
    if file.isDirectory {
      guard let path = names.first(where: { $0.value == number })?.key else { return }
      for index in nameChanges.indices where nameChanges[index].touches(directory: path) {
        nameChanges[index].isDurable = true
      }
    } else {
      for change in file.pending { files[number]?.durable.apply(change) }
      files[number]?.pending = []
    }
  }

  // MARK: What is left

  /// Writes what the disk has where all is written.
  func writeAll(to directory: String) throws {
    try write(names, to: directory) { file, _ in
      var content = file.durable
      for change in file.pending { content.apply(change) }
      return content
    }
  }

  /// Writes what a power cut leaves, by the choices of the generator.
  func writeCrashState(to directory: String, _ random: inout TortureRandom) throws {
    let share = [0, 10, 50, 90, 100][random.next(5)]
    try write(survivingNames(&random), to: directory, &random) { file, random in
      var content = file.durable
      for change in file.pending {
        switch change {
        case .size: if random.next(100) < share { content.apply(change) }
        case .bytes(let offset, let bytes, let isDurable):
          var start = 0
          while start < bytes.count {
            let end = min(((offset + start) / 512 + 1) * 512 - offset, bytes.count)
            if isDurable || random.next(100) < share { content.write(bytes[start..<end], at: offset + start) }
            start = end
          }
        }
      }
      return content
    }
  }

  private func survivingNames(_ random: inout TortureRandom) -> [String: UInt64] {
    let pending = nameChanges.indices.filter { !nameChanges[$0].isDurable }
    var kept = Set(nameChanges.indices)
    if random.next(2) == 0 {
      // A journal of the whole disk: what is durable has all before it.
      let last = nameChanges.lastIndex { $0.isDurable } ?? -1
      let cut = last + 1 + random.next(nameChanges.count - last)
      kept = Set(0..<cut)
    } else {
      // An order for each directory. A change of one directory may be there, and one before it of another may not.
      for (_, indices) in Dictionary(
        grouping: pending,
        by: { (nameChanges[$0].path as NSString).deletingLastPathComponent }
      )
      .sorted(by: { $0.key < $1.key }) {
        for index in indices[random.next(indices.count + 1)...] { kept.remove(index) }
      }
    }
    var names: [String: UInt64] = [root: self.names[root] ?? 0]
    for index in kept.sorted() {
      let change = nameChanges[index]
      switch change.kind {
      case .bound(let number): names[change.path] = number
      case .removed: names[change.path] = nil
      case .renamed(let other): names.move(change.path, to: other, isExchange: false)
      case .exchanged(let other): names.move(change.path, to: other, isExchange: true)
      }
    }
    return names
  }

  private func write(
    _ names: [String: UInt64],
    to directory: String,
    _ content: (File, inout TortureRandom) -> [UInt8]
  ) throws {
    var random = TortureRandom(seed: 0)
    try write(names, to: directory, &random, content)
  }

  private func write(
    _ names: [String: UInt64],
    to directory: String,
    _ random: inout TortureRandom,
    _ content: (File, inout TortureRandom) -> [UInt8]
  ) throws {
    for (path, number) in names.sorted(by: { $0.key < $1.key }) {
      let place = directory + path.dropFirst(root.count)
      guard let file = files[number] else { continue }
      if file.isDirectory {
        if place != directory { mkdir(place, 0o700) }
        continue
      }
      // The name of a file whose directory's name is lost.
      guard access((place as NSString).deletingLastPathComponent, F_OK) == 0 else { continue }
      let descriptor = open(place, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
      defer { close(descriptor) }
      let bytes = content(file, &random)
      guard descriptor >= 0,
        bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
      else { throw BrokenTest("\(place) cannot be written: errno \(errno)") }
    }
  }
}

extension RecordedDisk.NameChange {
  fileprivate func touches(directory: String) -> Bool {
    let parent = (path as NSString).deletingLastPathComponent
    switch kind {
    case .bound, .removed: return parent == directory
    case .renamed(let other), .exchanged(let other):
      return parent == directory || (other as NSString).deletingLastPathComponent == directory
    }
  }
}

extension [UInt8] {
  fileprivate mutating func write(_ bytes: some Collection<UInt8>, at offset: Int) {
    let end = offset + bytes.count
    if count < end { append(contentsOf: repeatElement(0, count: end - count)) }
    replaceSubrange(offset..<end, with: bytes)
  }

  fileprivate mutating func apply(_ change: RecordedDisk.Change) {
    switch change {
    case .bytes(let offset, let bytes, _): write(bytes, at: offset)
    case .size(let size):
      if size < count {
        removeLast(count - size)
      } else {
        append(contentsOf: repeatElement(0, count: size - count))
      }
    }
  }
}

extension [String: UInt64] {
  /// Renames a file, or a directory with all below it.
  fileprivate mutating func move(_ path: String, to other: String, isExchange: Bool) {
    func below(_ directory: String) -> [(String, UInt64)] {
      filter { $0.key == directory || $0.key.hasPrefix(directory + "/") }.map {
        (String($0.key.dropFirst(directory.count)), $0.value)
      }
    }
    let (moved, replaced) = (below(path), below(other))
    guard !moved.isEmpty else { return }
    for (rest, _) in moved { self[path + rest] = nil }
    for (rest, _) in replaced { self[other + rest] = nil }
    for (rest, number) in moved { self[other + rest] = number }
    if isExchange { for (rest, number) in replaced { self[path + rest] = number } }
  }
}
