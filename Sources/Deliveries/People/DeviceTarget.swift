package import Push

/// A device that a push goes to.
package struct DeviceTarget {
    package let row: Int64
    package let provider: Device.Provider

    package init(row: Int64, provider: Device.Provider) {
        (self.row, self.provider) = (row, provider)
    }
}
