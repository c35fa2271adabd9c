import { createRoot } from 'react-dom/client'
import Home from './home.tsx'

createRoot(document.getElementById('root')!).render(<Home />)
