/// The parts of an observed object that are kept for one state.
struct ObjectState {
  var record: [UInt8]
  /// The hashes of the watched large collections, by column.
  var contents: [UInt16: UInt64] = [:]
  /// The hashes that tell which objects in values of any type exist, by column.
  var existing: [UInt16: UInt64] = [:]
  /// The hashes of the values at the ends of the watched paths, in the order of the paths.
  var values: [UInt64] = []

  init(_ record: [UInt8]) { self.record = record }
}
