/// The origin of an object: an open store, or only a receiver of error reports.
///
/// Its only subclass is ``ObjectContext``, so all origins of objects are instances of that subclass.
@usableFromInline
package class ObjectOrigin: ValueOrigin, @unchecked Sendable {
  /// Records the reads of an object that represents all objects of its class.
  final let tracer: ReadTracer?
  /// The subclass that the initializer was called by.
  private final let subclass: any ObjectHost.Type

  /// - Parameter subclass: the type of the instance. It must implement all requests of objects, which the
  ///   compiler checks.
  init<Subclass: ObjectHost>(_ subclass: Subclass.Type, tracer: ReadTracer? = nil) {
    self.subclass = subclass
    self.tracer = tracer
  }

  /// This origin with its answers to the object.
  @inline(__always)
  final var host: any ObjectHost { subclass.host(self) }
}

extension ObjectHost {
  // SAFETY: an initializer of a subclass passes its own type, so the origin is an instance of `Self`.
  @inline(__always)
  fileprivate static func host(_ origin: ObjectOrigin) -> any ObjectHost {
    unsafeDowncast(origin, to: Self.self)
  }
}

/// The objects that are saved together. The encoding of each object uses it. Its only subclass is
/// ``ObjectGraph``.
package class EncodedGraph: ValueDestination {
  /// The maximum depth of nested embedded objects. Encoding and checking them is recursive, and must fit the
  /// smallest stack of a thread.
  package static let deepestEmbedding = 128

  // A graph is used by one call at a time, and each access is a single read or assignment.
  /// The property that is being encoded.
  @exclusivity(unchecked) final var property: PropertyDescriptor?
  /// Whether the object that is being encoded has links that were read with it, to objects that the save does
  /// not write.
  @exclusivity(unchecked) final var linksStoredObjects = false
  /// The subclass that the initializer was called by.
  private final let subclass: any LinkEncoder.Type

  /// - Parameter subclass: the type of the instance. The compiler checks that it encodes links.
  init<Subclass: LinkEncoder>(_ subclass: Subclass.Type) { self.subclass = subclass }

  /// Called when links are written back unchanged. The object may have been read long before.
  final func noteCopiedLinks() { linksStoredObjects = true }

  /// This graph with its encoding of links.
  final var encoder: any LinkEncoder { subclass.encoder(self) }
}

extension LinkEncoder {
  // SAFETY: an initializer of a subclass passes its own type, so the graph is an instance of `Self`.
  fileprivate static func encoder(_ graph: EncodedGraph) -> any LinkEncoder {
    unsafeDowncast(graph, to: Self.self)
  }
}

/// Encodes the links of objects that are saved together.
protocol LinkEncoder: EncodedGraph {
  /// Appends the object in an `AnyRealmValue` as an ``ObjectReference``, after its kind. If the object is new
  /// or changed, it is written too. Nothing is appended if the object was deleted after the value was
  /// created.
  func appendObject(_ object: Object, to writer: inout ValueWriter) throws
}

extension ValueWriter {
  /// The save in which the values are encoded.
  // SAFETY: a destination is always an ``EncodedGraph``, which has only one subclass.
  @inline(__always)
  var encodedGraph: EncodedGraph? { unsafeBitCast(destination, to: EncodedGraph?.self) }
}
