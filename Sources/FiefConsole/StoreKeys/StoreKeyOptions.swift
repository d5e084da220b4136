package import Fief
import FiefEncryption
import Foundation

/// Obtains the key of an encrypted store from a file, from the environment or by asking at the terminal. A
/// key is never an argument, because other users of the machine can see arguments.
package enum StoreKeyOptions {
  /// The command-line options.
  package static let declarations = [
    OptionDeclaration(
      "key-file",
      value: "FILE",
      completion: .files,
      "The key of an encrypted store: a file that you own, with 32 or 64 bytes and the mode 0600."
    ),
    OptionDeclaration(
      "key-env",
      value: "NAME",
      "The environment variable with the store's passphrase, or its key as 'hex:' and 64 or 128 digits."
    ),
  ]

  /// Returns the key that a command line specifies, or `nil` if it specifies no key.
  ///
  /// - Throws: ``UsageError`` if the command line specifies two keys, or a variable that is not set or
  ///   contains no key.
  package static func named(by invocation: Invocation, in environment: [String: String]) throws(UsageError)
    -> StoreEncryption?
  {
    switch (invocation["key-file"], invocation["key-env"]) {
    case (nil, nil): return nil
    case (let file?, nil): return .keyFile(file)
    case (nil, let name?):
      guard let text = environment[name], !text.isEmpty else {
        throw UsageError(
          "The environment variable '\(Format.printable(name))' of --key-env is not set.",
          command: invocation.command.name
        )
      }
      return try key(text, command: invocation.command.name)
    default:
      throw UsageError("'--key-file' and '--key-env' cannot be combined.", command: invocation.command.name)
    }
  }

  /// Asks for a passphrase, without echo. Returns `nil` if there is no terminal or nothing is typed.
  ///
  /// - Parameter name: the encrypted item, such as `the store pets`.
  package static func asked(for name: String, on io: CommandIO) -> StoreEncryption? {
    guard io.isInteractive else { return nil }
    let text = io.readSecret("\(Format.printable(name)) is encrypted. Passphrase: ")
    return text.flatMap { $0.isEmpty ? nil : .passphrase($0) }
  }

  private static func key(_ text: String, command: String) throws(UsageError) -> StoreEncryption {
    guard text.hasPrefix("hex:") else { return .passphrase(text) }
    let digits = text.dropFirst(4).compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    guard digits.count % 2 == 0, digits.count == text.count - 4 else {
      throw UsageError(
        "The variable of --key-env must have pairs of hexadecimal digits after 'hex:'.",
        command: command
      )
    }
    return .key(Data(bytes))
  }
}
