@testable import LMDB

extension FuzzTarget {
  /// The files of a store's directory, manifest and lock table among them: the opening makes a store, opens one, or refuses them,
  /// and what it has opened is read. Where there is a manifest, an empty or missing data file is never a new store.
  ///
  /// The first byte says which files there are and how they are opened.
  static let openings = FuzzTarget(
    name: "openings",
    longest: 400,
    seeds: { [[7, 0, 1], [0, 2], [2, 4, 1, 2, 3, 4, 2], [0x47, 0, 3], [0x87, 0, 2, 2, 0, 0, 0, 2]] },
    run: { input, defect in
      var rest = FuzzInput(input)
      let flags = rest.byte()
      var files: [String: [UInt8]] = [:]
      if flags & 1 != 0 {
        files[StoreDirectory.manifestName] = flags & 8 == 0 ? Array(Manifest.text.utf8) : rest.sized()
      }
      if flags & 2 != 0 { files[StoreDirectory.lockName] = rest.sized() }
      let cut = flags & 16 == 0 ? nil : rest.short() * 16
      if flags & 4 != 0 {
        let file = try DamagedFiles.file(&rest)
        files[StoreDirectory.dataName] = Array(file.prefix(cut ?? file.count))
      }
      try OpeningChecks.open(files, flags, defect)
    }
  )
}

private enum OpeningChecks {
  static func open(_ files: [String: [UInt8]], _ flags: UInt8, _ defect: PlantedDefect) throws {
    let directory = "\(FuzzPlace.directory)/openings"
    try DamagedFiles.put(files, in: directory)
    var options = EnvironmentOptions()
    options.mapSize = 1 << 20
    options.maximumMapSize = 64 << 20
    options.durability = .none
    options.isReadOnly = flags & 32 != 0
    options.verification = [.full, .automatic, .full, .automatic][Int(flags >> 6)]
    options.wholeVerificationBytes = flags >> 6 == 3 ? 0 : 1 << 20
    let hasManifest = files[StoreDirectory.manifestName] != nil
    let size = files[StoreDirectory.dataName]?.count ?? 0
    let isOpened = try DamagedFiles.unlessDamaged {
      let environment = try Environment.open(directory: directory, options: options)
      defer { environment.close() }
      _ = try DamagedFiles.readAll(environment, most: max(size, 1))
      return true
    }
    let isLost = hasManifest && size == 0
    if defect.isPlanted, isLost { throw FuzzFinding("planted: a lost file is a new store") }
    try require(isOpened == nil || !isLost, "a manifest without data was opened")
    let isWhole = size == 0 || files[StoreDirectory.dataName].map { isKnown($0) } == true
    let isRefused = isOpened == nil && isWhole && !isLost && !(options.isReadOnly && size == 0)
    try require(!isRefused, "a whole store is refused: \(files.mapValues(\.count))")
  }

  private static func isKnown(_ file: [UInt8]) -> Bool {
    (try? DamagedFiles.whole.get().contains(file)) == true
  }
}
