/// What the scripts of both browsers are made of.
enum DriverScripts {
    /// Waits until a condition holds or some time is over.
    static let until = """
        const until = async (condition, limit) => {
            const end = Date.now() + limit;
            while (!await condition()) {
                if (Date.now() > end) return false;
                await new Promise(resolve => setTimeout(resolve, 30));
            }
            return true;
        };
        """
}
