project = 'Owls'
extensions = []
html_theme = 'basic'
