import { BelfryElement } from './elements.js'

/** What a person wants to be told, and when. */
export class BelfryPreferences extends BelfryElement {
  /** What a muted subject, such as `room:789`, is called. */
  subjectName: (subject: string) => string
}

declare global {
  interface HTMLElementTagNameMap {
    'belfry-preferences': BelfryPreferences
  }
}
