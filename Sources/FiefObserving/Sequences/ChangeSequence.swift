import FiefCore

/// The changes of an observed object, collection or store, for `for await`.
///
/// Each loop observes separately. Its observation begins when the loop requests the first change, and ends
/// with the loop, when its task is cancelled or when the store is closed. A change is computed when the loop
/// requests it and covers everything since the previous change, so nothing accumulates for a slow loop.
public struct ChangeSequence<Change>: AsyncSequence {
  /// One change.
  public typealias Element = Change
  /// The error that is thrown if the store cannot be read.
  public typealias Failure = any Error

  package typealias Take = @Sendable (Result<Change, any Error>) -> Void

  let begin: @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken

  /// - Parameter begin: begins an observation that puts its deliveries into a gate and passes its changes to
  ///   a closure. A delivery may have several changes.
  package init(_ begin: @escaping @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken) {
    self.begin = begin
  }

  /// Returns an iterator with a separate observation, which begins with the first requested change.
  public func makeAsyncIterator() -> Iterator { Iterator(begin) }

  /// The observation of one loop.
  public final class Iterator: AsyncIteratorProtocol {
    private let begin: @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken
    private let gate = ObservationGate()
    private let taken = Lock<[Result<Change, any Error>]>([])
    /// The changes of the last delivery that were not requested yet.
    private var rest: ArraySlice<Result<Change, any Error>> = []
    private var token: NotificationToken?
    private var isEnded = false

    init(_ begin: @escaping @Sendable (ObservationGate, @escaping Take) throws -> NotificationToken) {
      self.begin = begin
    }

    deinit { end() }

    /// Returns the next change, or `nil` if the observation has ended.
    ///
    /// - Throws: ``FiefError`` if the store cannot be read. The sequence then ends.
    public func next() async throws -> Change? { try await next(isolation: #isolation) }

    /// Returns the next change, or `nil` if the observation has ended.
    ///
    /// - Throws: ``FiefError`` if the store cannot be read. The sequence then ends.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Change? {
      if isEnded { return nil }
      do {
        if token == nil {
          token = try begin(gate) { [taken] change in taken.withLock { $0.append(change) } }
        }
        let gate = gate
        while true {
          if !Task.isCancelled, let change = rest.popFirst() { return try change.get() }
          let job = await withTaskCancellationHandler {
            await gate.next()
          } onCancel: {
            gate.end()
          }
          guard let job, !Task.isCancelled else { break }
          job()
          rest = taken.withLock { taken in
            defer { taken = [] }
            return taken[...]
          }
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
      rest = []
      token?.invalidate()
      token = nil
      gate.end()
    }
  }
}

extension ChangeSequence: Sendable {}

@available(*, unavailable)
extension ChangeSequence.Iterator: Sendable {}
