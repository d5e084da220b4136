import FiefCore

/// The changes of something in a store, one after another, for `for await`.
///
/// Each loop is an observation of its own, which begins with the first change that is asked for and ends with
/// the loop, with the cancellation of its task, and with the store. A change is computed when it is asked for:
/// one that comes after a long time covers everything since the last one, and nothing is kept for a slow loop.
public struct ChangeSequence<Change>: AsyncSequence {
  /// One change.
  public typealias Element = Change
  /// The error of a store that cannot be read.
  public typealias Failure = any Error

  typealias Take = @Sendable (Result<Change, any Error>) -> Void

  /// Begins an observation that puts its deliveries in a gate, and returns its changes.
  let begin: @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken

  /// A loop of its own, which begins with its first change.
  public func makeAsyncIterator() -> Iterator { Iterator(begin) }

  /// One loop's observation.
  public final class Iterator: AsyncIteratorProtocol {
    private let begin: @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken
    private let gate = ObservationGate()
    private let taken = Lock<Result<Change, any Error>?>(nil)
    private var token: NotificationToken?
    private var isEnded = false

    init(_ begin: @escaping @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken) {
      self.begin = begin
    }

    deinit { end() }

    /// The next change; nil where the observation has ended.
    ///
    /// - Throws: ``FiefError`` where the store cannot be read; nothing comes after it.
    public func next() async throws -> Change? { try await next(isolation: #isolation) }

    /// The next change; nil where the observation has ended.
    ///
    /// - Throws: ``FiefError`` where the store cannot be read; nothing comes after it.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Change? {
      if isEnded { return nil }
      do {
        if token == nil {
          token = try begin(gate) { [taken] change in taken.withLock { $0 = change } }
        }
        let gate = gate
        while true {
          let job = await withTaskCancellationHandler {
            await gate.next()
          } onCancel: {
            gate.end()
          }
          guard let job, !Task.isCancelled else { break }
          job()
          let result = taken.withLock { taken in
            defer { taken = nil }
            return taken
          }
          if let result { return try result.get() }
        }
        end()
        return nil
      } catch {
        end()
        throw error
      }
    }

    private func end() {
      isEnded = true
      token?.invalidate()
      token = nil
      gate.end()
    }
  }
}

extension ChangeSequence: Sendable {}

@available(*, unavailable)
extension ChangeSequence.Iterator: Sendable {}
