export { draw } from './src/extras/draw.js'
export { explain } from './src/extras/explain.js'
export { swipe } from './src/extras/swipe.js'
