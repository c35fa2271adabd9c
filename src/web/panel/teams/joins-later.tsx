/** What becomes of a member who has no account yet. */
export const JoinsLater = () => (
  <p>
    No mail is sent. A person without an account stays pending, and joins when an account confirms this address. An
    administrator adds accounts under People.
  </p>
)
