import Fief
import Foundation

/// A copy of a store that the runner keeps: a store of its own, in a directory that says when it was made
/// and which version it has.
package struct StoreBackup: Sendable, Equatable {
  /// The directory with the copy.
  package let path: String
  /// The directory's name: `20261121T163000.123Z-v2`.
  package let name: String
  /// The schema version of the copy.
  package let version: UInt64
  /// The time at which it was made, as in its name.
  package let date: Date
  /// Whether it is a store that a restored backup has replaced. Such a store is kept as it was, damage
  /// included, and is never restored by default.
  package let isReplaced: Bool
  /// The size of its data file, in bytes.
  package let fileSize: Int

  static let replacedSuffix = "-replaced"

  /// Reads the name of a backup's directory; nil for one that is no backup.
  ///
  /// - Throws: the error of the system where it does not return the size of the file.
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
      // A directory without the file has no copy in it.
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

  /// The name of a backup that is made at a moment.
  static func name(at date: Date, version: UInt64, isReplaced: Bool) -> String {
    "\(stamp(date))-v\(version)\(isReplaced ? replacedSuffix : "")"
  }

  /// The moment as text that sorts by time, in UTC: `20261121T163000.123Z`.
  private static func stamp(_ date: Date) -> String {
    let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(Int(parts.tm_year) + 1900, 4) + digits(Int(parts.tm_mon) + 1, 2)
      + digits(Int(parts.tm_mday), 2) + "T" + digits(Int(parts.tm_hour), 2) + digits(Int(parts.tm_min), 2)
      + digits(Int(parts.tm_sec), 2) + "." + digits(Int(milliseconds % 1000), 3) + "Z"
  }

  private static func date(_ stamp: String) -> Date? {
    let text = Array(stamp.utf8)
    guard text.count == 20, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "."),
      text[19] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      text[range].allSatisfy { (48...57).contains($0) }
        ? Int(String(decoding: text[range], as: UTF8.self)) : nil
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      let fraction = number(16..<19)
    else { return nil }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    let seconds = timegm(&parts)
    guard seconds != -1 else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + Double(fraction) / 1000)
  }
}
