@testable import LMDB

extension FuzzTarget {
  /// Files of pages: the verifier ends with a report or an error, and what it has found to be whole can be read and written, by LMDB
  /// too. A file that it refuses can be opened page by page: reading it ends with an error or with entries.
  static let pages = FuzzTarget(
    name: "pages",
    longest: 400,
    seeds: { [[1], [2], [3], [2, 2, 0, 0, 0, 2], [3, 4, 0, 12, 0, 9]] },
    run: { input, defect in
      var rest = FuzzInput(input)
      let file = try DamagedFiles.file(&rest)
      let directory = "\(FuzzPlace.directory)/pages"
      try DamagedFiles.put([StoreDirectory.dataName: file, StoreDirectory.manifestName: []], in: directory)
      let report: VerificationReport?
      do { report = try StoreVerifier.verify(directory: directory) } catch let error as LMDBError {
        try require(DamagedFiles.codes.contains(error.code), "\(error)")
        if defect.isPlanted, error.detail?.contains("out of order") == true {
          throw FuzzFinding("planted: keys out of order are read")
        }
        report = nil
      }
      if let report {
        try PageChecks.use(directory, report)
      } else {
        try PageChecks.readPageByPage(directory, file.count)
      }
    }
  )
}

private enum PageChecks {
  static func options(_ verification: Verification) -> EnvironmentOptions {
    var options = EnvironmentOptions()
    options.mapSize = 1 << 20
    options.maximumMapSize = 64 << 20
    options.durability = .none
    options.verification = verification
    return options
  }

  /// Reads and writes a file that is whole; it stays whole.
  static func use(_ directory: String, _ report: VerificationReport) throws {
    let environment = try Environment.open(directory: directory, options: options(.none))
    defer { environment.close() }
    let count = try DamagedFiles.readAll(environment, most: report.entries)
    try require(count == report.entries, "\(count) entries, and \(report.entries) in the report")
    // A tree may have flags or a name that LMDB does not open, and a map may end where the file does.
    _ = try DamagedFiles.unlessDamaged {
      try environment.write { transaction in
        let tree = try transaction.openDatabase(named: "items")
        try [9, 9].withUnsafeBytes { bytes in try transaction.put(tree, bytes, bytes) }
      }
    }
    _ = try StoreVerifier.verify(directory: directory)
  }

  static func readPageByPage(_ directory: String, _ size: Int) throws {
    var options = options(.automatic)
    options.wholeVerificationBytes = 0
    _ = try DamagedFiles.unlessDamaged {
      let environment = try Environment.open(directory: directory, options: options)
      defer { environment.close() }
      _ = try DamagedFiles.readAll(environment, most: size)
    }
  }
}
