import Fief
import FiefEncryption
import FiefStress
import FiefTesting
import Foundation

extension StoreKind {
  /// The key of stores that a test has in this place without a fixture; nil leaves them in clear.
  var ownEncryption: StoreEncryption? {
    self == .encrypted ? .key(Data(repeating: 7, count: 32)) : nil
  }

  /// Whether such stores are there after they were closed.
  var outlivesClosing: Bool { self != .inMemory }
}

extension StressJointRepository {
  /// A store in a directory, or in memory under the directory's path.
  init(
    _ name: String,
    _ kind: StoreKind,
    in directory: TemporaryDirectory,
    options: StoreOptions = StoreOptions()
  ) {
    switch kind {
    case .inMemory: self.init(name, identifier: directory.path)
    case .onDisk, .encrypted: self.init(name, directory: directory.path)
    }
    storeOptions = options
    storeOptions.encryption = kind.ownEncryption
  }
}
