/// The kept parts of an observed object in one state.
struct ObjectState {
  var record: [UInt8]
  /// The hashes of the large collections that matter, by their columns.
  var contents: [UInt16: UInt64] = [:]
  /// The hashes of the watched paths' values, in their order.
  var values: [UInt64] = []

  init(_ record: [UInt8]) { self.record = record }
}
