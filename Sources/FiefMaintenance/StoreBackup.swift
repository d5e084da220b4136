import Fief
import Foundation

/// A copy of a store that was made by the migration runner: a store in a directory whose name contains the
/// time of the backup and the schema version.
package struct StoreBackup: Sendable, Equatable {
  /// The directory with the copy.
  package let path: String
  /// The directory's name: `20261121T163000.123Z-v2`.
  package let name: String
  /// The schema version of the copy.
  package let version: UInt64
  /// The time of the backup, from the directory's name.
  package let date: Date
  /// Whether the backup is a store that was replaced by restoring another backup. It is kept unchanged,
  /// including damage, and is never restored by default.
  package let isReplaced: Bool
  /// The size of the data file, in bytes.
  package let fileSize: Int

  static let replacedSuffix = "-replaced"

  /// Reads the name of a backup's directory. Returns `nil` if the directory is not a backup.
  ///
  /// - Throws: the error of the system if the size of the file cannot be determined.
  init?(path: String) throws {
    let name = (path as NSString).lastPathComponent
    var rest = name[...]
    isReplaced = rest.hasSuffix(Self.replacedSuffix)
    if isReplaced { rest = rest.dropLast(Self.replacedSuffix.count) }
    let parts = rest.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first == "v", let version = UInt64(parts[1].dropFirst()),
      let date = Self.date(String(parts[0]))
    else { return nil }
    let data = StoreLocation.joined(path, "data.mdb")
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: data) } catch {
      // A directory without the data file contains no copy.
      var info = stat()
      if lstat(data, &info) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
      throw error
    }
    guard let size = attributes[.size] as? NSNumber else { return nil }
    self.path = path
    self.name = name
    self.version = version
    self.date = date
    fileSize = size.intValue
  }

  /// Returns the name of a backup made at a date.
  static func name(at date: Date, version: UInt64, isReplaced: Bool) -> String {
    "\(stamp(date))-v\(version)\(isReplaced ? replacedSuffix : "")"
  }

  /// Returns a date in UTC as text that sorts by time: `20261121T163000.123Z`.
  private static func stamp(_ date: Date) -> String {
    DateText.stamp(date).filter { $0 != "-" && $0 != ":" }
  }

  private static func date(_ stamp: String) -> Date? {
    let text = Array(stamp.utf8)
    guard text.count == 20, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "."),
      text[19] == UInt8(ascii: "Z")
    else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return ISO8601.date("\(day)T\(part(9..<11)):\(part(11..<13)):\(part(13..<20))")
  }
}
