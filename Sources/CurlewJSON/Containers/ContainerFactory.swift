/// A container of an object's members, as a type whose key type is its associated type.
protocol FrameContainer: KeyedDecodingContainerProtocol {
  init(frame: KeyedFrame)
}

/// A factory for the containers of a key type.
///
/// A subclass knows the container's type. Otherwise, the runtime looks it up for each object, which takes longer than
/// creating the container.
class ContainerFactory<Key: CodingKey> {
  static func standard() -> ContainerFactory {
    FrameContainerFactory<KeyedContainer<Key>>()
  }

  func container(of frame: KeyedFrame) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedContainer(frame: frame))
  }
}

private final class FrameContainerFactory<Container: FrameContainer>: ContainerFactory<
  Container.Key
>
{
  override func container(of frame: KeyedFrame) -> KeyedDecodingContainer<Container.Key> {
    KeyedDecodingContainer(Container(frame: frame))
  }
}
